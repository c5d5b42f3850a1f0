"""What leaves RankScope: results, collections and settings in the forms that other tools read."""
