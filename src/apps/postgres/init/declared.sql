SELECT name FROM desired_database ORDER BY name;
